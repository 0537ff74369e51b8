'use client';
import { isLoopbackHost } from '@portico/oauth';

/** Whether the page comes from this machine, as it does while an application is being made. */
export function isDevelopment(): boolean {
  return typeof window !== 'undefined' && isLoopbackHost(window.location.hostname);
}
