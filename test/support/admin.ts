import { runAdmin } from '../../bin/admin/run.ts';

export interface Answer {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface AdminOptions {
  readonly environment?: NodeJS.ProcessEnv;
  readonly localFile: string;
  readonly nowMs: () => number;
}

/** Calls the tool as its process would be called, but in this one and with a clock of its own. */
export function adminTool({ environment = {}, localFile, nowMs }: AdminOptions) {
  return async (...argv: readonly string[]): Promise<Answer> => {
    const stdout: string[] = [];
    const stderr: string[] = [];
    const exitCode = await runAdmin(argv, {
      environment,
      localFile,
      clock: { nowMs },
      stdout: (text) => stdout.push(text),
      stderr: (text) => stderr.push(text),
    });
    return { exitCode, stdout: stdout.join('\n'), stderr: stderr.join('\n') };
  };
}
