import { spawn } from 'node:child_process';
import process from 'node:process';
import { Problem } from './problem.mjs';

/**
 * Runs an installer and keeps its output in case it fails. The lock gets its process id, so the lock stays held if this
 * process is killed while the installer continues.
 */
export function run(lock, command, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    const chunks = [];
    const keep = (chunk) => chunks.push(chunk);
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    // Ctrl-C ends the installer first and then this process, so no installation continues in the background.
    let stopped = false;
    const stop = (signal) => {
      stopped = true;
      child.kill(signal);
    };
    process.on('SIGINT', stop).on('SIGTERM', stop);
    const end = (code, lastOutput) => {
      process.off('SIGINT', stop).off('SIGTERM', stop);
      const output = `${Buffer.concat(chunks).toString('utf8')}${lastOutput}`;
      stopped
        ? reject(new Problem('The installation was interrupted. Run the command again.'))
        : resolve({ code, output });
    };
    child.once('error', (error) => end(1, `${command} did not start: ${error.message}\n`));
    child.once('close', (code, signal) => end(code ?? 1, signal ? `${command} was terminated by ${signal}.\n` : ''));
    if (child.pid !== undefined) {
      lock.alsoHeldBy(child.pid);
    }
  });
}
