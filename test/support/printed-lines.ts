import { vi } from 'vitest';

/** The log lines that the work writes, parsed. Tests run with LOG=off; the caller restores the environment. */
export async function printedLines(work: () => unknown): Promise<unknown[]> {
  vi.stubEnv('LOG', '');
  const lines: unknown[] = [];
  const collect = (text: unknown): boolean => {
    lines.push(JSON.parse(String(text)));
    return true;
  };
  const streams = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockImplementation(collect),
  );
  try {
    await work();
  } finally {
    for (const stream of streams) stream.mockRestore();
  }
  return lines;
}
