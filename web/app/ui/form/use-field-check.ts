import { useState, type InvalidEvent } from 'react';
import { useT } from '#app/i18n/t.ts';

type Field = HTMLInputElement | HTMLTextAreaElement;

/**
 * Shows the browser's validation of a field in the page's own texts and language, instead of the browser's
 * bubble. Without scripts the bubble remains. Pass `checks` to the field, and render `problem` beside it.
 */
export function useFieldCheck() {
  const t = useT();
  const [problem, setProblem] = useState<string>();
  const problemOf = ({ validity, type, minLength }: Field & { minLength: number }): string => {
    if (validity.valueMissing) return t('ui.field.missing');
    if (validity.tooShort) return t('ui.field.short', { count: minLength });
    if (validity.typeMismatch && type === 'email') return t('ui.field.email');
    return t('ui.field.wrong');
  };
  return {
    problem,
    checks: {
      onInvalid(event: InvalidEvent<Field>): void {
        // Prevents the bubble, and with it the browser's change of focus.
        event.preventDefault();
        const field = event.currentTarget;
        setProblem(problemOf(field));
        if (firstInvalid(field.form) === field) field.focus();
      },
      onInput(): void {
        setProblem(undefined);
      },
    },
  };
}

const firstInvalid = (form: HTMLFormElement | null): Element | undefined =>
  [...(form?.elements ?? [])].find((one) => 'validity' in one && !(one as Field).validity.valid);
