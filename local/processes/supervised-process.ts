import { spawn } from 'node:child_process';

/**
 * `read` ends when the pipe from this process closes, and the kernel closes that pipe however this process ends, also by
 * SIGKILL. The shell then kills the child, so no child outlives us. The shell gives up its own output streams first:
 * what is left of them belongs to the child alone, so their end tells us that the child is gone.
 */
const supervisorScript = '"$@" </dev/null & child=$!; exec >/dev/null 2>&1; read _; kill -9 "$child"; wait "$child"';

export interface SupervisedProcess {
  /** Resolves with what the child printed, when it has ended for whatever reason. */
  ended: Promise<string>;
  stop(): Promise<void>;
}

export interface SupervisedProcessOptions {
  workingDirectory: string;
}

/** How much of a child's output is kept to explain why it ended. */
const keptOutputCharacters = 4000;

export function startSupervisedProcess(command: string[], options: SupervisedProcessOptions): SupervisedProcess {
  const supervisor = spawn('/bin/sh', ['-c', supervisorScript, 'supervisor', ...command], {
    cwd: options.workingDirectory,
    stdio: ['pipe', 'pipe', 'pipe'],
    // A process group of its own: Ctrl-C reaches only us, and we end the child after its last clients.
    detached: true,
  });

  let output = '';
  const keep = (text: string) => {
    output = (output + text).slice(-keptOutputCharacters);
  };
  supervisor.stdout.setEncoding('utf8').on('data', keep);
  supervisor.stderr.setEncoding('utf8').on('data', keep);
  // The pipe breaks when the supervisor was killed by somebody else; `ended` tells about it.
  supervisor.stdin.on('error', () => {});

  const ended = new Promise<string>((resolve) => {
    supervisor.once('error', (error) => resolve(error.message));
    let openStreams = 2;
    const closed = () => {
      openStreams -= 1;
      if (openStreams === 0) resolve(output);
    };
    supervisor.stdout.once('close', closed);
    supervisor.stderr.once('close', closed);
  });
  const exited = new Promise<void>((resolve) => {
    supervisor.once('exit', () => resolve());
    supervisor.once('error', () => resolve());
  });

  return {
    ended,
    stop: async () => {
      supervisor.stdin.end();
      await exited;
    },
  };
}
