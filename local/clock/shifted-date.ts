/**
 * Replaces the global `Date` of the current thread with one that is moved by a shared offset. Every thread that stands for a
 * part of AWS installs it, so that a test that moves the cloud's clock moves it for all of them at the same instant.
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
  // `date.constructor === Date` must stay true: some libraries ask it instead of `instanceof`.
  Object.defineProperty(RealDate.prototype, 'constructor', { value: ShiftedDate, configurable: true, writable: true });
  globalThis.Date = ShiftedDate;
}
