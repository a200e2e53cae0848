/**
 * Turns the clock of the program or page in which it runs by a number of milliseconds. It is also sent to browsers as
 * text, so it refers to nothing outside of itself.
 *
 * @param {() => number} turnedBy
 */
export function turnClock(turnedBy) {
  const { now } = Date;
  Date.now = () => now() + turnedBy();
  globalThis.Date = new Proxy(Date, {
    construct: (target, values, subclass) =>
      Reflect.construct(target, values.length === 0 ? [Date.now()] : values, subclass),
  });
}
