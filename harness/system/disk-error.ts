/** What the kernel says where a file's place is at fault, and neither the harness nor what was asked. */
const DISK_ERRORS: readonly string[] = ['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EACCES', 'EPERM', 'EMFILE', 'ENFILE'];

/** Whether an error is a file's place being full, locked or broken. */
export function isDiskError(error: unknown): error is NodeJS.ErrnoException {
  const { code, path, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  const isOfFile = path !== undefined || syscall === 'write' || syscall === 'fsync';
  return isOfFile && DISK_ERRORS.includes(code ?? '');
}
