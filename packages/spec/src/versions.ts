/** `legacy`: a handshake and, over HTTP, sessions. `modern`: every request stands for itself. */
export type ProtocolEra = 'legacy' | 'modern';

/** The one modern revision. */
export const MODERN_PROTOCOL_VERSION = '2026-07-28';

/** The newest revision that has the legacy handshake; first offer and counter-offer there. */
export const LATEST_LEGACY_PROTOCOL_VERSION = '2025-11-25';

/** The newest revision spoken here. */
export const LATEST_PROTOCOL_VERSION = '2026-07-28';

/** Assumed for a legacy HTTP request without a version header and without a session. */
export const DEFAULT_NEGOTIATED_PROTOCOL_VERSION = '2025-03-26';

/** Every revision spoken here, newest first. */
export const SUPPORTED_PROTOCOL_VERSIONS: readonly string[] = [
  '2026-07-28',
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
];
