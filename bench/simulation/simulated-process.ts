import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';
import promised from 'node:timers/promises';
import { SimulatedTime, type Timer } from '../../local/cloud/clock/simulated-time.ts';
import { type Random, seededRandom } from '../../local/cloud/dynamodb/physics/random.ts';

export interface SimulatedClock {
  readonly time: SimulatedTime;
  readonly random: Random;
}

/**
 * Replaces the clock, the timers and the sources of random numbers of this process by simulated ones, so the functions run
 * unchanged in simulated time and a seed repeats a run. It must be called before the functions are loaded, and is not undone: a
 * simulation has a process of its own.
 */
export function simulateProcess(seed: number, startMs: number): SimulatedClock {
  const time = new SimulatedTime(startMs);
  const random = seededRandom(seed);
  replaceDate(time);
  replaceTimers(time);
  replaceRandom(seededRandom(seed + 1));
  // Modules import these functions by name, and see the new ones after this call.
  syncBuiltinESMExports();
  return { time, random };
}

function replaceDate(time: SimulatedTime): void {
  const RealDate = Date;
  const now = (): number => Math.floor(time.nowMs());
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  });
  RealDate.now = now;
  performance.now = () => time.nowMs();
}

function replaceTimers(time: SimulatedTime): void {
  const isTimer = (value: unknown): value is Timer => typeof value === 'object' && value !== null && 'atMs' in value;
  // Timers of this process are unreferenced in any case: the simulation ends when its work is done.
  const handle = (timer: Timer) => Object.assign(timer, { unref: () => timer, ref: () => timer, hasRef: () => false });
  const setTimer = (callback: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
    handle(time.start(() => callback(...args), ms));
  const clearTimer = (timer: unknown): void => {
    if (isTimer(timer)) time.stop(timer);
  };
  // Packages import them from node:timers too: @middy/core does, for the timeout of a function.
  for (const owner of [globalThis, timers]) Object.assign(owner, { setTimeout: setTimer, clearTimeout: clearTimer });
  Object.assign(promised, {
    setTimeout: async (ms = 0, value: unknown = undefined) => {
      await time.sleep(ms);
      return value;
    },
  });
  AbortSignal.timeout = (ms) => {
    const controller = new AbortController();
    const error = new DOMException('The operation was aborted due to timeout', 'TimeoutError');
    time.start(() => controller.abort(error), ms);
    return controller.signal;
  };
}

function replaceRandom(random: Random): void {
  const bytes = (size: number): Buffer => Buffer.from(Array.from({ length: size }, () => Math.floor(random() * 256)));
  const int = (...bounds: readonly number[]): number => {
    const [min, max] = bounds.length === 1 ? [0, bounds[0] ?? 0] : [bounds[0] ?? 0, bounds[1] ?? 0];
    return min + Math.floor(random() * (max - min));
  };
  const uuid = (): string => {
    const hex = bytes(16).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
  };
  Object.assign(crypto, { randomInt: int, randomUUID: uuid, randomBytes: bytes });
  Object.defineProperty(globalThis.crypto, 'getRandomValues', {
    value: (array: Uint8Array) => {
      array.set(bytes(array.length));
      return array;
    },
  });
  Math.random = random;
}
