import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { type EngineCheck, complaintAt } from './bounded-validator.ts';
import { allSchemas, stepsAPart } from './canonical-walk.ts';
import type { CanonicalDocument } from './canonical.ts';
import { allFormats, formatsOf } from './formats.ts';
import { interpret } from './interpreter.ts';
import { isMultipleOf } from './multiple-of.ts';
import { StepBudget, stepsOf } from './step-budget.ts';

/** Marks what looking at a schema costs, in the variant that counts. */
const STEPS_KEYWORD = 'x-portico-steps';

/** Schemas with more parts are walked through instead: generating code for them takes too long. */
const MAX_GENERATED_PARTS = 100;

/** Values up to this size are walked through once more for a list of everything that is wrong. */
const MAX_NODES_FOR_ALL_FAULTS = 1000;

/** Compiles canonical documents by code generation. One instance of the engine serves them all. */
export class AjvEngine {
  readonly #ajv: Ajv2020;
  readonly #budget: StepBudget;
  readonly #maxSteps: number;

  constructor(Ajv: typeof Ajv2020, maxSteps: number) {
    this.#maxSteps = maxSteps;
    this.#budget = new StepBudget(maxSteps);
    this.#ajv = new Ajv({
      strict: false,
      validateSchema: false,
      addUsedSchema: false,
      ownProperties: true,
      logger: false,
      code: { optimize: false },
      formats: Object.fromEntries(allFormats()),
    });
    this.#ajv.removeKeyword('multipleOf');
    this.#ajv.addKeyword({
      keyword: 'multipleOf',
      type: 'number',
      compile: (divisor: number) => (value: number) => isMultipleOf(value, divisor),
    });
    this.#ajv.addKeyword({
      keyword: STEPS_KEYWORD,
      errors: false,
      validate: (steps: number) => {
        this.#budget.spend(steps);
        return true;
      },
    });
  }

  /** Checks that may take many steps run in a variant that counts them; the others need not. */
  check(document: CanonicalDocument): EngineCheck {
    const maxSteps = this.#maxSteps;
    const parts = [...allSchemas(document)];
    if (parts.length > MAX_GENERATED_PARTS) return interpret(document, { maxSteps });
    for (const schema of parts) if (formatsOf(schema) === undefined) delete schema['format'];
    const most = stepsAPart(document);
    const plain = compile(this.#ajv, document.root);
    let counted: ValidateFunction | undefined;
    let explain: EngineCheck | undefined;
    return (value, nodes) => {
      let used = plain;
      if (most * nodes > maxSteps) {
        counted ??= compile(this.#ajv, marked(document));
        used = counted;
        this.#budget.restart();
      }
      if (used(value)) return undefined;
      if (nodes > MAX_NODES_FOR_ALL_FAULTS) return complaints(used);
      explain ??= interpret({ ...document, root: copyOf(document.root) }, { maxSteps });
      return explain(value, nodes) ?? complaints(used);
    };
  }
}

function copyOf(root: Record<string, unknown>): Record<string, unknown> {
  return JSON.parse(JSON.stringify(root)) as Record<string, unknown>;
}

function compile(ajv: Ajv2020, root: Record<string, unknown>): ValidateFunction {
  const validate = ajv.compile(root);
  // The engine keeps what it compiled by the schema object; the caller's memory is enough.
  ajv.removeSchema(root);
  return validate;
}

function marked(document: CanonicalDocument): Record<string, unknown> {
  const root = copyOf(document.root);
  for (const schema of allSchemas({ ...document, root })) schema[STEPS_KEYWORD] = stepsOf(schema);
  return root;
}

function complaints(validate: ValidateFunction): readonly string[] {
  return (validate.errors ?? []).map(described);
}

function described({ instancePath, message, keyword, params }: ErrorObject): string {
  const named: unknown = params['additionalProperty'] ?? params['unevaluatedProperty'];
  const detail = typeof named === 'string' ? `${message ?? keyword}: ${named}` : (message ?? keyword);
  return complaintAt(instancePath, detail);
}
