export { connectOpenList, connectShare, type Platform } from './openlist.ts';
export { connectPikPakApi } from './pikpakapi.ts';
export { connectRclone } from './rclone.ts';
export { Refused, send, type Line } from './wire.ts';
export { Undecodable } from './strict.ts';
export * as answers from './answers.ts';
