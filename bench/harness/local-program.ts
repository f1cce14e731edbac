import { readSettings } from '../../local/run/settings.ts';
import { startGateline } from '../../local/run/start.ts';

/** `npm start` with a channel to its parent, which asks for the CPU time and the memory that this process has used. */
export interface ProcessUsage {
  /** In microseconds, of all threads. */
  readonly cpu: number;
  /** In microseconds, of the thread that is `local/` itself: server, proxy, event sources. Functions have their own threads. */
  readonly mainThreadCpu: number;
  readonly residentBytes: number;
  readonly heapBytes: number;
}

process.env.TZ = 'UTC';
const cloud = await startGateline(readSettings(process.env, process.cwd()));

const total = ({ user, system }: NodeJS.CpuUsage): number => user + system;
process.on('message', () => {
  const usage: ProcessUsage = {
    cpu: total(process.cpuUsage()),
    mainThreadCpu: total(process.threadCpuUsage()),
    residentBytes: process.memoryUsage.rss(),
    heapBytes: process.memoryUsage().heapUsed,
  };
  process.send?.(usage);
});
process.once('disconnect', () => void cloud.stop().then(() => process.exit(0)));
process.send?.('ready');
