import { readFileSync } from 'node:fs';

// Loaded into a server before its program: its clock is turned by the milliseconds in the file CLOCK_FILE, which a
// journey may change at any time.

const file = process.env.CLOCK_FILE;
const { now } = Date;
let turnedBy = Number(readFileSync(file, 'utf8'));
setInterval(() => (turnedBy = Number(readFileSync(file, 'utf8'))), 50).unref();

Date.now = () => now() + turnedBy;
globalThis.Date = new Proxy(Date, {
  construct: (target, values, subclass) =>
    Reflect.construct(target, values.length === 0 ? [Date.now()] : values, subclass),
});
