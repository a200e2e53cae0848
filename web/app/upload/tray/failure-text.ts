import type { T } from '#app/i18n/t.ts';
import type { UploadItem } from '../upload-item.ts';

/** Reason for which an upload failed, in the reader's language. */
export function failureText(t: T, { errorText, error }: Pick<UploadItem, 'errorText' | 'error'>): string {
  return errorText ?? t.find(`error.${error}`) ?? t('upload.state.failed');
}
