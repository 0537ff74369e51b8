import { Braces, TextCursorInput } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { checkForm } from './check-form.ts';
import type { FieldProblem } from './check-form.ts';
import { FormProvider } from './form-context.tsx';
import type { FormState } from './form-state.ts';
import { isJsonObject } from './json-value.ts';
import type { JsonObject } from './json-value.ts';
import { JsonField } from './json-field.tsx';
import { NodeField } from './node-field.tsx';
import { problemText } from './problem-text.ts';
import { readSchema } from './read-schema.ts';

export interface SchemaFormProps {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly form: FormState;
  readonly onChange: (change: (form: FormState) => FormState) => void;
  /** Problems are shown once the person has tried to run it. */
  readonly showProblems: boolean;
}

/** A form made from a JSON Schema, or the same value as JSON text. */
export function SchemaForm({ schema, form, onChange, showProblems }: SchemaFormProps) {
  const { t } = useTranslation();
  const node = useMemo(() => readSchema(schema), [schema]);
  const [asJson, setAsJson] = useState(node.kind === 'json');
  const blocked = Object.keys(form.drafts).length > 0;
  const problems = useMemo(
    () => (showProblems ? problemsByField(schema, form) : new Map()),
    [showProblems, schema, form],
  );
  const handle = useMemo(
    () => ({ form, problems, Field: NodeField, change: onChange }),
    [form, problems, onChange],
  );
  return (
    <FormProvider value={handle}>
      <div className="flex flex-col gap-4">
        {asJson ? (
          <JsonField node={JSON_NODE} path={[]} label={t('form.arguments')} required />
        ) : (
          <NodeField
            node={node.kind === 'record' ? node : { ...node, kind: 'json' }}
            path={[]}
            label={t('form.arguments')}
            required
          />
        )}
        <ProblemSummary problems={problems} asJson={asJson} />
        <div className="flex flex-wrap items-center gap-2">
          <Button
            look="quiet"
            icon={asJson ? TextCursorInput : Braces}
            className="-ms-2 px-2 text-xs"
            disabled={blocked}
            onClick={() => setAsJson(!asJson)}
          >
            {asJson ? t('form.showForm') : t('form.showJson')}
          </Button>
          {blocked ? <span className="text-xs text-ink-faint">{t('form.switchBlocked')}</span> : null}
        </div>
      </div>
    </FormProvider>
  );
}

const JSON_NODE = { kind: 'json', schema: {}, nullable: true } as const;

/** Problems that no visible field can show: those of the whole, and all of them beside JSON text. */
function ProblemSummary({
  problems,
  asJson,
}: {
  readonly problems: ReadonlyMap<string, readonly FieldProblem[]>;
  readonly asJson: boolean;
}) {
  const { t } = useTranslation();
  const listed = [...problems].filter(([pointer]) => asJson || pointer === '').flatMap(([, own]) => own);
  if (listed.length === 0) return null;
  return (
    <Notice tone="danger" alert>
      <ul>
        {listed.map((problem) => (
          <li key={`${problem.pointer} ${problem.keyword}`}>
            {problem.pointer === '' ? (
              ''
            ) : (
              <code className="me-1.5">{problem.pointer.slice(1).replaceAll('/', '.')}</code>
            )}
            {problemText(t, problem)}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function problemsByField(
  schema: Readonly<Record<string, unknown>>,
  form: FormState,
): ReadonlyMap<string, readonly FieldProblem[]> {
  const map = new Map<string, FieldProblem[]>();
  for (const problem of checkForm(schema, form.value ?? {}) ?? []) {
    map.set(problem.pointer, [...(map.get(problem.pointer) ?? []), problem]);
  }
  return map;
}

/** The arguments to send, or undefined while something stands in the way. */
export function argumentsOf(
  schema: Readonly<Record<string, unknown>>,
  form: FormState,
): JsonObject | undefined {
  const value = form.value ?? {};
  if (Object.keys(form.drafts).length > 0 || !isJsonObject(value)) return undefined;
  return problemsByField(schema, form).size === 0 ? value : undefined;
}
