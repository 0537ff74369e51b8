/** The places the demo reports on. They are made up, and so is their weather. */
export const STATIONS = ['Larkhaven', 'Port Amber', 'Mistral Point', 'Old Foundry'] as const;

export type StationName = (typeof STATIONS)[number];

export const CONDITIONS = ['clear', 'cloudy', 'rain', 'wind', 'fog'] as const;

type Condition = (typeof CONDITIONS)[number];

/** One hour of a forecast. */
interface ForecastHour {
  /** Hour of the day in UTC, 0 to 23. */
  readonly hour: number;
  readonly temperatureC: number;
  readonly condition: Condition;
  /** 0 to 100. */
  readonly chanceOfRainPercent: number;
}

/** What one station reports at one moment. */
export interface WeatherReport {
  readonly station: StationName;
  /** ISO 8601. */
  readonly observedAt: string;
  readonly temperatureC: number;
  readonly windKmh: number;
  readonly humidityPercent: number;
  readonly condition: Condition;
  readonly summary: string;
  readonly nextHours: readonly ForecastHour[];
}

interface Climate {
  readonly meanC: number;
  readonly swingC: number;
  readonly windKmh: number;
  readonly wetness: number;
}

const CLIMATES: Readonly<Record<StationName, Climate>> = {
  Larkhaven: { meanC: 17, swingC: 6, windKmh: 14, wetness: 0.35 },
  'Port Amber': { meanC: 23, swingC: 4, windKmh: 18, wetness: 0.2 },
  'Mistral Point': { meanC: 12, swingC: 5, windKmh: 42, wetness: 0.45 },
  'Old Foundry': { meanC: 9, swingC: 8, windKmh: 9, wetness: 0.6 },
};

const SENTENCES: Readonly<Record<Condition, string>> = {
  clear: 'Clear sky, long shadows.',
  cloudy: 'Clouds come and go.',
  rain: 'Rain on the roofs. Take a coat.',
  wind: 'Hold on to your hat.',
  fog: 'Fog; the ferries sound their horns.',
};

const HOUR_MS = 3_600_000;
const FORECAST_HOURS = 6;

/** True for the name of a station. */
export function isStation(value: unknown): value is StationName {
  return STATIONS.some((station) => station === value);
}

/**
 * The weather of a station at a moment. The same moment always has the same weather, so that a page
 * and a chat that look at the same minute agree.
 *
 * @param nowMs epoch milliseconds
 */
export function weatherAt(station: StationName, nowMs: number): WeatherReport {
  const climate = CLIMATES[station];
  const minute = Math.floor(nowMs / 60_000);
  const condition = conditionAt(station, nowMs);
  const gust = noise(`${station} wind ${String(minute)}`);
  return {
    station,
    observedAt: new Date(nowMs).toISOString(),
    temperatureC: temperatureAt(station, nowMs),
    windKmh: Math.round(climate.windKmh * (0.6 + 0.8 * gust)),
    humidityPercent: Math.round(40 + 45 * climate.wetness + 10 * gust),
    condition,
    summary: SENTENCES[condition],
    nextHours: Array.from({ length: FORECAST_HOURS }, (_, index) =>
      forecastHour(station, nowMs + (index + 1) * HOUR_MS),
    ),
  };
}

function forecastHour(station: StationName, atMs: number): ForecastHour {
  const condition = conditionAt(station, atMs);
  const chance = noise(`${station} rain ${String(Math.floor(atMs / HOUR_MS))}`);
  return {
    hour: new Date(atMs).getUTCHours(),
    temperatureC: temperatureAt(station, atMs),
    condition,
    chanceOfRainPercent: Math.round(condition === 'rain' ? 60 + 40 * chance : 40 * chance),
  };
}

/** Warmest at three in the afternoon, with a little of its own each minute. */
function temperatureAt(station: StationName, atMs: number): number {
  const { meanC, swingC } = CLIMATES[station];
  const hours = (atMs % (24 * HOUR_MS)) / HOUR_MS;
  const daily = Math.cos(((hours - 15) / 24) * 2 * Math.PI) * swingC;
  const own = noise(`${station} ${String(Math.floor(atMs / 60_000))}`) - 0.5;
  return Math.round((meanC + daily + own) * 10) / 10;
}

function conditionAt(station: StationName, atMs: number): Condition {
  const { wetness, windKmh } = CLIMATES[station];
  const draw = noise(`${station} sky ${String(Math.floor(atMs / HOUR_MS))}`);
  if (draw < wetness * 0.6) return 'rain';
  if (draw < wetness) return windKmh > 30 ? 'wind' : 'fog';
  return draw < 0.7 ? 'cloudy' : 'clear';
}

/** A number from 0 to 1 that only depends on its text (FNV-1a, then a final mix). */
function noise(text: string): number {
  let hash = 0x81_1c_9d_c5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01_00_01_93);
  }
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c_1b_3c_6d);
  return ((hash ^ (hash >>> 13)) >>> 0) / 0x1_00_00_00_00;
}
