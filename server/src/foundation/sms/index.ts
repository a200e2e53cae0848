export { SmsRefusal, type Sms, type SmsSender } from './sender.ts';
export { createSmsSender } from './sms.ts';
