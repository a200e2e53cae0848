import { ApiFailure, type ApiCall } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import { isNoFolder, pathQuery } from './drive-data.ts';

test('a folder whose path can’t be looked up is not taken for one that was deleted', async () => {
  const errorOf = (failure: ApiFailure): Promise<unknown> =>
    pathQuery((() => Promise.reject(failure)) as ApiCall, 'folder')
      .queryFn()
      .catch((error: unknown) => error);
  expect(isNoFolder(await errorOf(new ApiFailure('file_not_found')))).toBe(true);
  expect(isNoFolder(await errorOf(new ApiFailure('unreachable')))).toBe(false);
  expect(isNoFolder(await errorOf(new ApiFailure('too_frequent')))).toBe(false);
  expect(isNoFolder(undefined)).toBe(false);
});
