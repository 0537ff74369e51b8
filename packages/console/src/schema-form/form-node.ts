import type { JsonValue } from './json-value.ts';

export type SchemaObject = Readonly<Record<string, unknown>>;

interface NodeBase {
  readonly schema: SchemaObject;
  readonly title?: string;
  readonly description?: string;
  readonly nullable: boolean;
  readonly default?: JsonValue;
}

export interface ChoiceOption {
  readonly value: JsonValue;
  readonly label: string;
}

export interface FormField {
  readonly name: string;
  readonly required: boolean;
  /** Made when asked for, since schemas may contain themselves. */
  node(): FormNode;
}

export interface Branch {
  readonly label: string;
  node(): FormNode;
}

/** What a schema asks for, in terms of controls. `json` stands for all that has no control of its own. */
export type FormNode =
  | (NodeBase & { readonly kind: 'text'; readonly format?: string })
  | (NodeBase & { readonly kind: 'number'; readonly integer: boolean })
  | (NodeBase & { readonly kind: 'boolean' })
  | (NodeBase & { readonly kind: 'choice'; readonly options: readonly ChoiceOption[] })
  | (NodeBase & { readonly kind: 'constant'; readonly value: JsonValue })
  | (NodeBase & { readonly kind: 'list'; readonly item: () => FormNode })
  | (NodeBase & { readonly kind: 'record'; readonly fields: readonly FormField[] })
  | (NodeBase & { readonly kind: 'union'; readonly branches: readonly Branch[] })
  | (NodeBase & { readonly kind: 'json' });

export type { JsonValue };
