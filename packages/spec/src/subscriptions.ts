import type { NotificationParams, RequestParams, Result } from './base.ts';

/** Which notifications a listener wants. */
export interface SubscriptionFilter {
  toolsListChanged?: boolean;
  promptsListChanged?: boolean;
  resourcesListChanged?: boolean;
  /** Resource URIs whose changes are wanted. */
  resourceSubscriptions?: string[];
  /** Tasks whose changes are wanted; part of the tasks extension. */
  taskIds?: string[];
}

export interface SubscriptionsListenRequestParams extends RequestParams {
  notifications: SubscriptionFilter;
}

/** Ends a listen stream; its `_meta` names the subscription. */
export type SubscriptionsListenResult = Result;

/** First on a listen stream: what the server really watches. */
export interface SubscriptionsAcknowledgedNotificationParams extends NotificationParams {
  notifications: SubscriptionFilter;
}
