import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Where the last whole run left its results. */
export const RESULTS_FILE = join(ROOT, '.test-results', 'tests.json');

/**
 * Vitest reporter that keeps every test's title and state, files that did not load, and errors that
 * no test caught, for the closing line and for `npm run rules`.
 */
export class ResultReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const tests = [];
    const broken = [];
    for (const module of modules) {
      const file = relative(ROOT, module.moduleId).replaceAll('\\', '/');
      const cases = [...module.children.allTests()];
      for (const test of cases) tests.push({ file, title: test.name, state: test.result().state });
      const suites = [...module.children.allSuites()].flatMap((suite) => suite.errors());
      if (module.errors().length > 0 || suites.length > 0) broken.push(file);
      else if (cases.length === 0) broken.push(file);
    }
    mkdirSync(dirname(RESULTS_FILE), { recursive: true });
    const unhandled = unhandledErrors.map((error) => String(error.message));
    writeFileSync(RESULTS_FILE, JSON.stringify({ tests, broken, unhandled }));
  }
}

// Vitest constructs what a reporter file exports by default.
export { ResultReporter as default };
