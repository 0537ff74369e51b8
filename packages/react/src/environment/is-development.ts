'use client';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** Whether this is no build for production. Bundlers fill the name in; without one there is no such thing. */
export function isDevelopment(): boolean {
  try {
    return process.env.NODE_ENV !== 'production';
  } catch {
    return false;
  }
}
