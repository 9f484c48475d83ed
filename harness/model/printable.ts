/**
 * A text without anything that a terminal would act upon: names, pages' words and programs' errors may come from anybody.
 * Lines stay lines; what turns the direction of writing round goes, too, since it can make one name look like another.
 */
export function printable(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu, '');
}

/** A text in one line, whatever it was made of. */
export function inOneLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ');
}

/** JSON of one line in which such characters are escaped: DEL and the C1 controls, which JSON lets stand. */
export function printableJson(value: unknown): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replaceAll(/[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, escaped);
}
