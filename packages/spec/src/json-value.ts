/** What JSON can hold. */
export type JSONValue = string | number | boolean | null | JSONObject | JSONArray;

/** A JSON object. */
export interface JSONObject {
  [key: string]: JSONValue;
}

/** A JSON array. */
export type JSONArray = JSONValue[];
