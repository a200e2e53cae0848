import { readFileSync } from 'node:fs';
import { turnClock } from './turn-clock.mjs';

// Loaded into a server before its program: its clock is turned by the milliseconds in the file CLOCK_FILE, which a
// journey may change at any time.

const read = () => Number(readFileSync(process.env.CLOCK_FILE, 'utf8'));
let turnedBy = read();
setInterval(() => (turnedBy = read()), 50).unref();
turnClock(() => turnedBy);
