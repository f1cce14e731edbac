import { spawn } from 'node:child_process';
import process from 'node:process';
import { Problem } from './problem.mjs';

/**
 * Runs an installer and keeps what it prints for the case that it fails. The lock learns its process id, so that it stays
 * held should this process be killed while the installer goes on.
 */
export function run(lock, command, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    const chunks = [];
    const keep = (chunk) => chunks.push(chunk);
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    // Ctrl-C ends the installer first and this process after it, so that nothing goes on installing unseen.
    let stopped = false;
    const stop = (signal) => {
      stopped = true;
      child.kill(signal);
    };
    process.on('SIGINT', stop).on('SIGTERM', stop);
    const end = (code, lastWords) => {
      process.off('SIGINT', stop).off('SIGTERM', stop);
      const output = `${Buffer.concat(chunks).toString('utf8')}${lastWords}`;
      stopped ? reject(new Problem('Stopped before the installation was complete.')) : resolve({ code, output });
    };
    child.once('error', (error) => end(1, `${command} could not be started: ${error.message}\n`));
    child.once('close', (code, signal) => end(code ?? 1, signal ? `${command} was ended by ${signal}.\n` : ''));
    if (child.pid !== undefined) {
      lock.alsoHeldBy(child.pid);
    }
  });
}
