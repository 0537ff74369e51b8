import { useRef, useState } from 'react';
import type { FormHTMLAttributes, KeyboardEvent, RefObject } from 'react';
import { formFromJson, initialValue } from './form-state.ts';
import type { FormState } from './form-state.ts';
import type { JsonObject } from './json-value.ts';
import { readSchema } from './read-schema.ts';
import { argumentsOf } from './schema-form.tsx';

type Schema = Readonly<Record<string, unknown>>;

/** The form of a call's arguments, from its first values to those that are sent. */
export interface ArgumentsForm {
  readonly box: RefObject<HTMLFormElement | null>;
  readonly form: FormState;
  readonly change: (next: (form: FormState) => FormState) => void;
  /** Whether somebody has tried to send it. */
  readonly tried: boolean;
  /** The values, or nothing, with the first problem in focus, while something stands in the way. */
  readonly take: () => JsonObject | undefined;
}

export function useArgumentsForm(schema: Schema): ArgumentsForm {
  const [form, change] = useState<FormState>(() => formFromJson(initialValue(readSchema(schema)) ?? {}));
  const [tried, setTried] = useState(false);
  const box = useRef<HTMLFormElement>(null);
  return {
    box,
    form,
    change,
    tried,
    take() {
      const values = argumentsOf(schema, form);
      setTried(true);
      if (values === undefined) focusFirstProblem(box.current);
      return values;
    },
  };
}

/** Ctrl or Cmd with Enter, which sends a form from any of its fields. */
export function sends(event: KeyboardEvent): boolean {
  return event.key === 'Enter' && (event.ctrlKey || event.metaKey);
}

/** A form that is sent by its button, and by Ctrl or Cmd with Enter from any of its fields. */
export function sending(
  send: () => void,
): Pick<FormHTMLAttributes<HTMLFormElement>, 'noValidate' | 'onSubmit' | 'onKeyDown'> {
  return {
    noValidate: true,
    onSubmit(event) {
      event.preventDefault();
      send();
    },
    onKeyDown(event) {
      if (!sends(event)) return;
      event.preventDefault();
      send();
    },
  };
}

/** After the problems have been drawn. */
function focusFirstProblem(box: HTMLFormElement | null): void {
  requestAnimationFrame(() => box?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
}
