import { useEffect, useId, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useConsole } from '../state/console-context.tsx';
import { CONTROL_LOOK, FieldFrame } from '../ui/field.tsx';
import { showHidden } from '../ui/visible-text.ts';

/** Milliseconds without a key before suggestions are asked for. */
const PAUSE_MS = 150;

export interface SuggestedFieldProps {
  readonly label: string;
  readonly value: string;
  readonly required: boolean;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly onChange: (value: string) => void;
  /** Must not reject; without it the field is an ordinary one. */
  readonly suggest?: ((value: string) => Promise<readonly string[]>) | undefined;
}

/** A text field; where its server completes values, with a list of them to choose from. */
export function SuggestedField(props: SuggestedFieldProps) {
  const { label, value, required, hint, error, onChange, suggest } = props;
  const { t } = useTranslation();
  const listId = useId();
  const [open, setOpen] = useState(false);
  const options = useSuggestions(open ? suggest : undefined, value);
  const list = useOptions(open ? options : [], {
    choose(option) {
      onChange(option);
      setOpen(false);
    },
    close: () => setOpen(false),
    open: () => setOpen(true),
  });
  const shown = list.options.length > 0;
  return (
    <FieldFrame
      label={label}
      hint={hint}
      error={error}
      {...(required ? {} : { optional: t('general.optional') })}
    >
      {(ids) => (
        <div className="relative">
          <input
            {...ids}
            value={value}
            autoComplete="off"
            spellCheck={false}
            {...(suggest === undefined ? {} : comboboxOf(listId, list))}
            onChange={(event) => {
              onChange(event.target.value);
              setOpen(true);
            }}
            onFocus={() => setOpen(true)}
            onBlur={() => setOpen(false)}
            onKeyDown={list.onKeyDown}
            className={CONTROL_LOOK}
          />
          {shown ? (
            <OptionList id={listId} label={t('inspector.suggestions', { field: label })} list={list} />
          ) : null}
        </div>
      )}
    </FieldFrame>
  );
}

type OptionsList = ReturnType<typeof useOptions>;

function comboboxOf(listId: string, { active, options }: OptionsList) {
  return {
    role: 'combobox',
    'aria-autocomplete': 'list',
    'aria-expanded': options.length > 0,
    'aria-controls': listId,
    'aria-activedescendant': active === -1 ? undefined : `${listId}-${active}`,
  } as const;
}

interface OptionListProps {
  readonly id: string;
  readonly label: string;
  readonly list: OptionsList;
}

function OptionList({ id, label, list }: OptionListProps) {
  return (
    <div
      role="listbox"
      id={id}
      aria-label={label}
      className="rise absolute inset-x-0 top-full z-10 mt-1 max-h-56 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-float"
    >
      {list.options.map((option, index) => (
        <div
          key={option}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === list.active}
          // Pressing must not take the focus from the input.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => list.choose(option)}
          onKeyDown={undefined}
          className="flex min-h-8 items-center rounded-md px-2.5 text-sm hover:bg-hover aria-selected:bg-hover narrow:min-h-11"
        >
          <span className="min-w-0 truncate">{showHidden(option)}</span>
        </div>
      ))}
    </div>
  );
}

/** The newest suggestions; asked for after a pause in typing. */
function useSuggestions(suggest: SuggestedFieldProps['suggest'], value: string): readonly string[] {
  const { clock } = useConsole();
  const [found, setFound] = useState<{ readonly for: string; readonly options: readonly string[] }>();
  useEffect(() => {
    if (suggest === undefined) return undefined;
    let wanted = true;
    const timer = clock.setTimer(PAUSE_MS, () => {
      void suggest(value).then((options) => {
        if (wanted) setFound({ for: value, options });
      });
    });
    return () => {
      wanted = false;
      timer.cancel();
    };
  }, [clock, suggest, value]);
  const options = suggest === undefined ? [] : (found?.options ?? []);
  // What is there already needs no offer.
  return options.length === 1 && options[0] === value ? [] : [...new Set(options)];
}

interface OptionsPort {
  readonly choose: (option: string) => void;
  readonly open: () => void;
  readonly close: () => void;
}

/** Arrow keys choose among options; Enter without a choice is left to the form. */
function useOptions(options: readonly string[], port: OptionsPort) {
  const [wanted, setActive] = useState(-1);
  const active = wanted < options.length ? wanted : -1;
  const choose = (option: string): void => {
    setActive(-1);
    port.choose(option);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const chosen = options[active];
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (options.length === 0) return port.open();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setActive(active === -1 && step === -1 ? options.length - 1 : (active + step) % options.length);
    } else if (event.key === 'Enter' && chosen !== undefined) {
      event.preventDefault();
      choose(chosen);
    } else if (event.key === 'Escape' && options.length > 0) {
      event.stopPropagation();
      setActive(-1);
      port.close();
    }
  };
  return { options, active, choose, onKeyDown };
}
