export { httpDate, maybeTimeText, systemClock, timeText, type Clock } from './clock.ts';
export {
  ConfigMistakes,
  installationSecret,
  readConfig,
  SETTINGS,
  type Config,
  type SignUp,
} from './config.ts';
export { createWriteBuffer, type WriteBuffer } from './write-buffer.ts';
export { helperEnvironment } from './helper-environment.ts';
export { createIds, firstIdAt, type Ids } from './id.ts';
export { createKeys, type Keys } from './keys.ts';
export { CLEAR_LETTERS, drawLetters } from './letters.ts';
export { createLeaseOwner, type LeaseOwner } from './lease-owner.ts';
export { createLog, pathOnly, type Log } from './log.ts';
export { errorText, message } from './messages.ts';
export { isPublicAddress, publicLookup } from './public-address.ts';
export { readSize, sizeText } from './size.ts';
export { createSemaphore, type Semaphore } from './semaphore.ts';
export { createFlights, type Flights } from './flights.ts';
export { createWeightedCache, type WeightedCache } from './weighted-cache.ts';
