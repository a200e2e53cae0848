import { LIMITS } from '@bowerbird/contract';

// Loaded into the server's process before anything else: what it hands out is good for seconds, so that a pause of less
// than a minute is enough for all of it to expire. Server and client are told so, and the clocks of both are right.

Object.assign(LIMITS, {
  captchaTokenSeconds: 20,
  lockSeconds: 20,
  accessTokenSeconds: 30,
  passcodeTokenSeconds: 30,
  uploadTicketSeconds: 30,
});
