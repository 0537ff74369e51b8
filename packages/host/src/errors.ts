export type HostErrorCode =
  | 'unexpected'
  | 'wrong_usage'
  | 'bad_configuration'
  | 'unreadable_file'
  | 'data_folder_not_a_folder'
  | 'data_folder_read_only'
  | 'data_folder_foreign'
  | 'data_folder_full'
  | 'data_folder_unusable'
  | 'data_folder_busy'
  | 'data_folder_lost'
  | 'port_in_use'
  | 'port_not_allowed'
  | 'no_free_port'
  | 'key_invalid'
  | 'secret_unreadable'
  | 'database_corrupt'
  | 'database_newer'
  | 'database_busy'
  | 'database_full'
  | 'database_unusable'
  | 'database_failed'
  | 'database_closed'
  | 'already_exists'
  | 'missing_parent'
  | 'unsupported_value'
  | 'control_unreachable'
  | 'control_refused'
  | 'not_running'
  | 'address_refused'
  | 'command_not_found'
  | 'command_not_approved'
  | 'page_refused';

interface HostErrorMeaning {
  /** What a command that ends with it exits with. */
  readonly exitCode: number;
  readonly message: string;
}

/**
 * Everything that goes wrong inside the host, with what a command exits with when it ends there
 * (0 done, 1 unexpected, 2 wrong usage or configuration, 3 sign-in or approval needed, 4 unreachable,
 * 5 tool error, 6 violations found, 7 refused, 130 interrupted).
 */
const HOST_ERRORS: Readonly<Record<HostErrorCode, HostErrorMeaning>> = {
  unexpected: { exitCode: 1, message: 'something failed that should not' },

  wrong_usage: { exitCode: 2, message: 'the command line is wrong' },
  bad_configuration: { exitCode: 2, message: 'a setting has a value that cannot be used' },
  unreadable_file: { exitCode: 2, message: 'a file cannot be read' },

  data_folder_not_a_folder: { exitCode: 2, message: 'the data folder is not a folder' },
  data_folder_read_only: { exitCode: 2, message: 'the data folder cannot be written' },
  data_folder_foreign: { exitCode: 2, message: 'the data folder belongs to somebody else' },
  data_folder_full: { exitCode: 2, message: 'the disk of the data folder is full' },
  data_folder_unusable: { exitCode: 2, message: 'the data folder cannot be used' },
  data_folder_busy: { exitCode: 2, message: 'another portico is using the data folder' },
  data_folder_lost: { exitCode: 2, message: 'the data folder was removed or replaced' },

  port_in_use: { exitCode: 2, message: 'the port is in use' },
  port_not_allowed: { exitCode: 2, message: 'the system does not allow this port' },
  no_free_port: { exitCode: 2, message: 'no port is free' },

  key_invalid: { exitCode: 2, message: 'the key is not 32 bytes of base64' },
  secret_unreadable: { exitCode: 1, message: 'a stored secret cannot be opened' },

  database_corrupt: { exitCode: 2, message: 'the database is damaged' },
  database_newer: { exitCode: 2, message: 'the database was written by a newer version' },
  database_busy: { exitCode: 1, message: 'the database stayed busy' },
  database_full: { exitCode: 1, message: 'the disk of the database is full' },
  database_unusable: { exitCode: 2, message: 'the database cannot be opened' },
  database_failed: { exitCode: 1, message: 'a database statement failed' },
  database_closed: { exitCode: 1, message: 'the database is closed' },
  already_exists: { exitCode: 1, message: 'there is such a record already' },
  missing_parent: { exitCode: 1, message: 'the record it belongs to is gone' },
  unsupported_value: { exitCode: 1, message: 'a value of this type cannot be stored' },

  control_unreachable: { exitCode: 4, message: 'no running portico answers' },
  control_refused: { exitCode: 1, message: 'the running portico refused the request' },
  not_running: { exitCode: 4, message: 'portico is not running on this data folder' },

  address_refused: { exitCode: 7, message: 'an address is not one that may be reached' },

  command_not_found: { exitCode: 4, message: 'the command of a connector was not found' },
  command_not_approved: { exitCode: 3, message: 'the command of a connector waits for approval' },

  page_refused: { exitCode: 2, message: 'the page cannot be published' },
};

/** What a person needs to act on an error; every part is plain text in one sentence. */
export interface HostErrorData {
  /** File, folder or socket it is about. */
  readonly path?: string;
  /** What to do. */
  readonly remedy?: string;
  /** Field, port, parameter or option it is about, and further facts. */
  readonly [fact: string]: string | number | boolean | readonly string[] | undefined;
}

export interface HostErrorOptions {
  /** Replaces the table's message with a more exact one. */
  readonly message?: string;
  readonly data?: HostErrorData;
  readonly cause?: unknown;
}

/** The one error class of this package; look at `code`, never at the message. */
export class HostError extends Error {
  readonly code: HostErrorCode;
  readonly data: HostErrorData;

  constructor(code: HostErrorCode, options: HostErrorOptions = {}) {
    super(options.message ?? HOST_ERRORS[code].message, { cause: options.cause });
    this.name = 'HostError';
    this.code = code;
    this.data = options.data ?? {};
  }

  /** What a command that ends here exits with. */
  get exitCode(): number {
    return HOST_ERRORS[this.code].exitCode;
  }
}

/** Whether a caught value is a HostError, of this code where one is given. */
export function isHostError(value: unknown, code?: HostErrorCode): value is HostError {
  return value instanceof HostError && (code === undefined || value.code === code);
}
