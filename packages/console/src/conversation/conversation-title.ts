import type { Conversation } from '@portico/api';
import type { TFunction } from 'i18next';

/** What a conversation is called; one in which nothing has happened yet has no title of its own. */
export function conversationTitle(t: TFunction, { title }: Pick<Conversation, 'title'>): string {
  return title === '' ? t('conversation.untitled') : title;
}
