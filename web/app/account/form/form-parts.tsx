import { CircleAlert } from 'lucide-react';
import { ApiFailure } from '@bowerbird/contract';
import { useErrorText } from '#app/api/error-text.ts';
import { useT } from '#app/i18n/t.ts';
import { isWrongAddress, type AccountField, type FormResult } from './account-form.ts';

/** Error messages of single fields and of the whole form. */
export interface FormErrors {
  at(field: AccountField): string | undefined;
  readonly whole: string | undefined;
}

export function useFormErrors(result: FormResult | undefined): FormErrors {
  const textOf = useErrorText();
  const t = useT();
  const failure = result?.failure;
  const wordsOf = ({ id, facts, text }: NonNullable<FormResult['failure']>): string =>
    isWrongAddress({ id, facts }) ? t('account.wrongAddress') : textOf(new ApiFailure(id, facts, text));
  const text = failure && wordsOf(failure);
  return {
    at: (field) => (failure?.field === field ? text : undefined),
    whole: failure && failure.field === undefined ? text : undefined,
  };
}

/** Error about a whole form; renders nothing without a text. */
export function FormAlert({ children }: { children: string | undefined }) {
  if (children === undefined) return null;
  return (
    <p
      role="alert"
      className="flex items-start gap-2.5 rounded-control bg-danger-wash px-3 py-2.5 text-13 text-danger"
    >
      <CircleAlert className="mt-px size-4" />
      <span>{children}</span>
    </p>
  );
}
