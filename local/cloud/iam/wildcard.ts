const compiled = new Map<string, RegExp>();

/** `*` matches any text, including none, and in IAM `?` matches one character. A backslash escapes either. */
export function matchesWildcard(
  pattern: string,
  text: string,
  options: { questionMark: boolean } = { questionMark: false },
): boolean {
  const key = `${options.questionMark}${pattern}`;
  let expression = compiled.get(key);
  if (expression === undefined) {
    const source = pattern.replace(/\\([*?\\])|[\\^$.*+?()[\]{}|]/g, (character, escaped: string | undefined) => {
      if (escaped !== undefined) return `\\${escaped}`;
      if (character === '*') return '.*';
      if (character === '?' && options.questionMark) return '.';
      return `\\${character}`;
    });
    expression = new RegExp(`^${source}$`, 's');
    compiled.set(key, expression);
  }
  return expression.test(text);
}
