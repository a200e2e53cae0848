import { useState, type InvalidEvent } from 'react';
import { useT } from '#app/i18n/t.ts';

type Field = HTMLInputElement | HTMLTextAreaElement;

/**
 * Says what the browser finds wrong with a field in the page’s own words and language, in place of the browser’s bubble.
 * Without scripts the bubble remains. `checks` goes to the field, `problem` beside it.
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
        // It keeps the bubble away, and with it the focus that the browser would have moved.
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
