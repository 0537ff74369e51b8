import type { NotificationParams, RequestParams, Result } from './base.ts';
import type { TaskMetadata } from './tasks.ts';

export interface StringSchema {
  type: 'string';
  title?: string;
  description?: string;
  minLength?: number;
  maxLength?: number;
  format?: 'email' | 'uri' | 'date' | 'date-time';
  default?: string;
}

export interface NumberSchema {
  type: 'number' | 'integer';
  title?: string;
  description?: string;
  minimum?: number;
  maximum?: number;
  default?: number;
}

export interface BooleanSchema {
  type: 'boolean';
  title?: string;
  description?: string;
  default?: boolean;
}

/** A value and what people see for it. */
export interface TitledConst {
  const: string;
  title: string;
}

export interface UntitledSingleSelectEnumSchema {
  type: 'string';
  title?: string;
  description?: string;
  enum: string[];
  default?: string;
}

export interface TitledSingleSelectEnumSchema {
  type: 'string';
  title?: string;
  description?: string;
  oneOf: TitledConst[];
  default?: string;
}

export interface UntitledMultiSelectEnumSchema {
  type: 'array';
  title?: string;
  description?: string;
  minItems?: number;
  maxItems?: number;
  items: { type: 'string'; enum: string[] };
  default?: string[];
}

export interface TitledMultiSelectEnumSchema {
  type: 'array';
  title?: string;
  description?: string;
  minItems?: number;
  maxItems?: number;
  items: { anyOf: TitledConst[] };
  default?: string[];
}

/** The form of revision 2025-06-18, with display names beside the values. */
export interface LegacyTitledEnumSchema {
  type: 'string';
  title?: string;
  description?: string;
  enum: string[];
  enumNames?: string[];
  default?: string;
}

export type SingleSelectEnumSchema = UntitledSingleSelectEnumSchema | TitledSingleSelectEnumSchema;

export type MultiSelectEnumSchema = UntitledMultiSelectEnumSchema | TitledMultiSelectEnumSchema;

export type EnumSchema = SingleSelectEnumSchema | MultiSelectEnumSchema | LegacyTitledEnumSchema;

/** The only schemas a form field may have. */
export type PrimitiveSchemaDefinition = StringSchema | NumberSchema | BooleanSchema | EnumSchema;

export interface ElicitRequestFormParams extends RequestParams {
  mode?: 'form';
  message: string;
  requestedSchema: {
    $schema?: string;
    type: 'object';
    properties: { [key: string]: PrimitiveSchemaDefinition };
    required?: string[];
  };
  /** Revision 2025-11-25 only. */
  task?: TaskMetadata;
}

export interface ElicitRequestURLParams extends RequestParams {
  mode: 'url';
  message: string;
  url: string;
  /** Revision 2025-11-25 only, where it is required. */
  elicitationId?: string;
  /** Revision 2025-11-25 only. */
  task?: TaskMetadata;
}

export type ElicitRequestParams = ElicitRequestFormParams | ElicitRequestURLParams;

export interface ElicitResult extends Result {
  action: 'accept' | 'decline' | 'cancel';
  /** With `accept` in form mode only. */
  content?: { [key: string]: string | number | boolean | string[] };
}

/** Revision 2025-11-25 only. */
export interface ElicitationCompleteNotificationParams extends NotificationParams {
  elicitationId: string;
}
