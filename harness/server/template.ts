/** A configuration's template with each word in double braces replaced by what it stands for. */
export function fillTemplate(template: string, words: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{\{(\w+)\}\}/g, (_, word: string) => words[word]!);
}
