import { X } from 'lucide-react';
import { AlertDialog, Dialog as RadixDialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import { useReturnFocus } from './use-return-focus.ts';

const SIZES = { small: 'md:max-w-md', medium: 'md:max-w-2xl', large: 'md:max-w-3xl' } as const;

const PANEL =
  'rise fixed z-50 flex flex-col overflow-hidden border border-line bg-raised text-ink shadow-float outline-none ' +
  'inset-x-0 bottom-0 max-h-[92dvh] rounded-t-2xl ' +
  'md:inset-auto md:start-1/2 md:top-1/2 md:w-[calc(100vw-3rem)] md:max-h-[min(46rem,88dvh)] ' +
  'md:-translate-x-1/2 md:rtl:translate-x-1/2 md:-translate-y-1/2 md:rounded-2xl';

export interface DialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly description?: ReactNode;
  readonly size?: keyof typeof SIZES;
  readonly footer?: ReactNode;
  /** Element that gets focus at first; by default the first control. */
  readonly initialFocus?: () => HTMLElement | null;
  /** False when only the buttons of the dialog may end it. */
  readonly dismissible?: boolean;
  readonly children: ReactNode;
}

export function Dialog(props: DialogProps) {
  const { open, onClose, size = 'small', initialFocus, dismissible = true } = props;
  const focus = useReturnFocus();
  const keep = (event: Event): void => (dismissible ? undefined : event.preventDefault());
  return (
    <RadixDialog.Root open={open} onOpenChange={(next) => (next ? undefined : onClose())}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="fixed inset-0 z-40 bg-shade" />
        <RadixDialog.Content
          className={classNames(PANEL, SIZES[size])}
          onOpenAutoFocus={(event) => {
            focus.remember();
            focusInstead(event, initialFocus);
          }}
          onCloseAutoFocus={focus.giveBack}
          onPointerDownOutside={keep}
          onInteractOutside={keep}
          {...(props.description === undefined ? { 'aria-describedby': undefined } : {})}
        >
          <DialogHeader {...props} dismissible={dismissible} />
          <div
            data-dialog-body
            className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-5 pb-5 md:px-6"
          >
            {props.children}
          </div>
          {props.footer === undefined ? null : (
            <div className="flex flex-wrap justify-end gap-2 border-t border-line bg-surface px-5 py-3.5 md:px-6">
              {props.footer}
            </div>
          )}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

function DialogHeader({ title, description, dismissible }: DialogProps) {
  const { t } = useTranslation();
  return (
    <div className="flex items-start gap-4 px-5 pt-5 pb-4 md:px-6">
      <div className="min-w-0 flex-1">
        <RadixDialog.Title className="text-lg font-semibold tracking-[-0.01em] [overflow-wrap:anywhere]">
          {title}
        </RadixDialog.Title>
        {description === undefined ? null : (
          <RadixDialog.Description className="mt-1 text-sm text-ink-soft" asChild>
            <div>{description}</div>
          </RadixDialog.Description>
        )}
      </div>
      {dismissible === true ? (
        <RadixDialog.Close asChild>
          <IconButton label={t('general.close')} icon={X} className="-me-1.5 -mt-0.5 narrow:-mt-2.5" />
        </RadixDialog.Close>
      ) : null}
    </div>
  );
}

/** Focus goes to what the dialog is about, not to its closing button. */
function focusInstead(event: Event, initialFocus: (() => HTMLElement | null) | undefined): void {
  const panel = event.target instanceof HTMLElement ? event.target : undefined;
  const target = initialFocus?.() ?? panel?.querySelector<HTMLElement>(FIRST_CONTROL);
  if (target === undefined || target === null) return;
  event.preventDefault();
  target.focus();
}

const FIRST_CONTROL =
  '[data-dialog-body] :is(input:not([tabindex="-1"]), textarea, select, button:not([role="tab"]), a[href]):not(:disabled)';

export interface ConfirmDialogProps {
  readonly open: boolean;
  readonly title: string;
  readonly description: string;
  readonly confirmLabel: string;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before something that cannot be taken back; focus starts on Cancel. */
export function ConfirmDialog({
  open,
  title,
  description,
  confirmLabel,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const { t } = useTranslation();
  const focus = useReturnFocus();
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => (next ? undefined : onClose())}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-40 bg-shade" />
        <AlertDialog.Content
          className={classNames(PANEL, 'p-5 md:max-w-md md:p-6')}
          onOpenAutoFocus={focus.remember}
          onCloseAutoFocus={focus.giveBack}
        >
          <AlertDialog.Title className="text-lg font-semibold tracking-[-0.01em] [overflow-wrap:anywhere]">
            {title}
          </AlertDialog.Title>
          <AlertDialog.Description className="mt-1.5 text-sm text-ink-soft">
            {description}
          </AlertDialog.Description>
          <div className="mt-5 flex flex-wrap justify-end gap-2">
            <AlertDialog.Cancel asChild>
              <Button>{t('general.cancel')}</Button>
            </AlertDialog.Cancel>
            <AlertDialog.Action asChild>
              <Button look="danger" onClick={onConfirm}>
                {confirmLabel}
              </Button>
            </AlertDialog.Action>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
