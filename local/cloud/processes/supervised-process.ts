import { spawn } from 'node:child_process';

/**
 * `read` ends when the pipe from this process closes. The kernel closes that pipe however this process ends, even by SIGKILL.
 * The shell then kills the child, so the child never outlives this process. The shell closes its own output streams first, so
 * their end shows that the child has ended.
 */
const supervisorScript = '"$@" </dev/null & child=$!; exec >/dev/null 2>&1; read _; kill -9 "$child"; wait "$child"';

export interface SupervisedProcess {
  /** Resolves with the output of the child when it has ended for any reason. */
  ended: Promise<string>;
  stop(): Promise<void>;
}

export interface SupervisedProcessOptions {
  workingDirectory: string;
  /** Called with all output that is kept, whenever there is more. */
  onOutput?: (output: string) => void;
}

/** The amount of output that is kept to explain why the child ended. */
const keptOutputCharacters = 4000;

export function startSupervisedProcess(command: string[], options: SupervisedProcessOptions): SupervisedProcess {
  const supervisor = spawn('/bin/sh', ['-c', supervisorScript, 'supervisor', ...command], {
    cwd: options.workingDirectory,
    stdio: ['pipe', 'pipe', 'pipe'],
    // A separate process group: Ctrl-C reaches only this process, which ends the child after its last clients.
    detached: true,
  });

  let output = '';
  const keep = (text: string) => {
    output = (output + text).slice(-keptOutputCharacters);
    options.onOutput?.(output);
  };
  supervisor.stdout.setEncoding('utf8').on('data', keep);
  supervisor.stderr.setEncoding('utf8').on('data', keep);
  // The pipe breaks if the supervisor was killed from outside. `ended` reports that.
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
