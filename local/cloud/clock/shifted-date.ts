/**
 * Replaces the global `Date` of the current thread with one that adds a shared offset. Every thread of the local cloud
 * installs it, so a test that advances the clock advances it for all threads at once.
 */
export function installShiftedDate(offsetMs: BigInt64Array): void {
  const RealDate = Date;
  const realNow = Date.now;
  const now = () => realNow() + Number(Atomics.load(offsetMs, 0));

  const ShiftedDate = new Proxy(RealDate, {
    construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
    apply: () => new RealDate(now()).toString(),
  });
  RealDate.now = now;
  // `date.constructor === Date` must stay true: some libraries check it instead of `instanceof`.
  Object.defineProperty(RealDate.prototype, 'constructor', { value: ShiftedDate, configurable: true, writable: true });
  globalThis.Date = ShiftedDate;
}
