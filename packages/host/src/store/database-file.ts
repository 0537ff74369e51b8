/** Name of the database in the data folder. */
export const DATABASE_FILE = 'portico.db';
