/** What the kernel says where a file's place is at fault, and neither the harness nor what was asked. */
const DISK_ERRORS: readonly string[] = ['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EACCES', 'EPERM'];

/** No more files may be open, whatever was to be opened: a pipe to a program has no path. */
const NO_DESCRIPTORS: readonly string[] = ['EMFILE', 'ENFILE'];

/** Whether an error is a file's place being full, locked or broken, or was caused by that. */
export function isDiskError(error: unknown): error is NodeJS.ErrnoException {
  const { code = '', path, syscall, cause } = (error ?? {}) as NodeJS.ErrnoException & { readonly cause?: unknown };
  const isOfFile = path !== undefined || syscall === 'write' || syscall === 'fsync';
  if (NO_DESCRIPTORS.includes(code) || (isOfFile && DISK_ERRORS.includes(code))) return true;
  return cause !== undefined && isDiskError(cause);
}
