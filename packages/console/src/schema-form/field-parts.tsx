import { useTranslation } from 'react-i18next';
import { useForm } from './form-context.tsx';
import type { FormNode } from './form-node.ts';
import { pointerOf } from './json-value.ts';
import type { Step } from './json-value.ts';
import { problemText } from './problem-text.ts';

/** Problems of this field as one text, drafts first. */
export function useFieldError(path: readonly Step[]): string | undefined {
  const { t } = useTranslation();
  const { form, problems } = useForm();
  const pointer = pointerOf(path);
  const draft = form.drafts[pointer];
  if (draft !== undefined) return t(`form.draft.${draft.problem}`);
  const own = problems.get(pointer);
  return own === undefined ? undefined : own.map((problem) => problemText(t, problem)).join(' ');
}

export function labelOf(node: FormNode, name: string): string {
  return node.title ?? name;
}

export function TinyButton({ label, onClick }: { readonly label: string; readonly onClick: () => void }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="rounded px-1 text-2xs text-accent underline-offset-2 hover:underline narrow:min-h-8"
    >
      {label}
    </button>
  );
}
