import { LIMITS } from '@bowerbird/contract';

// Loaded into the server's process before everything else: shortens the lifetimes of tokens and locks to seconds, so
// that all of them expire during a pause of less than a minute. Server and client both know these lifetimes, and both
// have correct clocks.

Object.assign(LIMITS, {
  captchaTokenSeconds: 20,
  lockSeconds: 20,
  accessTokenSeconds: 30,
  passcodeTokenSeconds: 30,
  uploadTicketSeconds: 30,
});
