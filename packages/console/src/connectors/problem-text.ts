import type { Connector, ToolCall } from '@portico/api';
import type { TFunction } from 'i18next';

type Problem = NonNullable<Connector['problem'] | ToolCall['problem']>;

/** What went wrong, in the person's language; in the host's words where it is of no known kind. */
export function problemMessage(t: TFunction, problem: Problem): string {
  const { kind, facts, message } = problem;
  return kind === undefined ? message : t(`connectors.problemMessage.${kind}`, { ...facts });
}

/** What can be done about it, in the person's language. */
export function problemRemedy(t: TFunction, problem: NonNullable<Connector['problem']>): string {
  return t(`connectors.problemRemedy.${problem.kind}`);
}

/** Why a connector is as it is, in the person's language. */
export function causeText(t: TFunction, { cause, problem }: Connector): string {
  if (problem !== undefined) return problemMessage(t, problem);
  return cause.kind === 'problem' ? cause.message : t(`connectors.cause.${cause.kind}`);
}
