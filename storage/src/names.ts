import { randomBytes } from 'node:crypto';

const keyPattern = /^[a-z0-9_-]+(?:\/[a-z0-9_-]+)*$/;
const uploadIdPattern = /^[A-Za-z0-9_-]{1,128}$/;
const longestKey = 512;
const highestPart = 99_999;

/** Keys become paths and object names, so only our own alphabet is accepted. */
export function isKey(key: string): boolean {
  return key.length <= longestKey && keyPattern.test(key);
}

export function isUploadId(uploadId: string): boolean {
  return uploadIdPattern.test(uploadId);
}

export function checkKey(key: string): void {
  if (!isKey(key)) throw new TypeError(`Not a key: ${JSON.stringify(key)}`);
}

export function checkUploadId(uploadId: string): void {
  if (!isUploadId(uploadId)) throw new TypeError(`Not an upload id: ${JSON.stringify(uploadId)}`);
}

export function checkPartNumber(number: number): void {
  if (!Number.isInteger(number) || number < 1 || number > highestPart) {
    throw new TypeError(`Not a part number: ${number}`);
  }
}

/** A unique name. */
export function freshName(): string {
  return randomBytes(10).toString('hex');
}
