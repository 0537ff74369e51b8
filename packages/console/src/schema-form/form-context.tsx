import { createContext, use } from 'react';
import type { ComponentType } from 'react';
import { ConsoleError } from '../errors.ts';
import type { FieldProblem } from './check-form.ts';
import type { FormNode } from './form-node.ts';
import type { FormState } from './form-state.ts';
import type { Step } from './json-value.ts';

export interface NodeFieldProps {
  readonly node: FormNode;
  readonly path: readonly Step[];
  readonly label: string;
  readonly required: boolean;
}

/** What every control of one form shares. */
export interface FormHandle {
  readonly form: FormState;
  /** Problems to show, by JSON pointer. */
  readonly problems: ReadonlyMap<string, readonly FieldProblem[]>;
  /** The component for any node; fields that hold fields draw them with it. */
  readonly Field: ComponentType<NodeFieldProps>;
  readonly change: (next: (form: FormState) => FormState) => void;
}

const FormContext = createContext<FormHandle | undefined>(undefined);
export const FormProvider = FormContext.Provider;

export function useForm(): FormHandle {
  const handle = use(FormContext);
  if (handle === undefined) throw new ConsoleError('missing_context');
  return handle;
}
