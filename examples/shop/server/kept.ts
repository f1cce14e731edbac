/** Keeps what was read for some seconds: many pages ask this server, and it asks the service once. A failure is not kept. */
export function kept<Answer>(
  read: (name: string) => Promise<Answer>,
  { seconds, now }: { readonly seconds: number; now(): number },
): (name: string) => Promise<Answer> {
  const answers = new Map<string, { readonly answer: Promise<Answer>; readonly untilMs: number }>();
  return (name) => {
    for (const [one, { untilMs }] of answers) if (untilMs <= now()) answers.delete(one);
    const known = answers.get(name);
    if (known !== undefined) return known.answer;
    const answer = read(name);
    answers.set(name, { answer, untilMs: now() + seconds * 1000 });
    answer.catch(() => answers.delete(name));
    return answer;
  };
}
