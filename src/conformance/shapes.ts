import { own } from '../contract/own.ts'
import { same } from './check.ts'

/**
 * The fields of part 2, copied from the specification rather than derived from the contract, which the run examines. `?`: absent
 * without a value (decisions 2). `|null`: always present, may be null.
 */
export const shapes = {
  manifest: {
    id: 'uuid',
    reference: 'string',
    'source?': 'card_show marketplace distributor other',
    status: 'submitted receiving reconciled',
    expected_arrival_start: 'date|null',
    expected_arrival_end: 'date|null',
    line_count: 'integer',
    created_at: 'date-time',
  },
  manifestLine: {
    id: 'uuid',
    external_ref: 'string|null',
    description: 'string',
    grader: 'string|null',
    cert_number: 'string|null',
    quantity: 'integer',
    status: 'expected matched missing condition_mismatch',
    matched_qids: 'string[]',
    sku: 'string|null',
  },
  product: {
    product_id: 'uuid',
    name: 'string',
    sku: 'string',
    upc: 'string|null',
    image_url: 'uri|null',
    dimensions: 'object',
    weight: 'object',
    created_at: 'date-time',
    updated_at: 'date-time',
  },
  dimensions: { height: 'number', length: 'number', width: 'number', unit: 'in cm' },
  weight: { value: 'number', unit: 'oz g' },
  slab: itemShape({ cert_number: 'string', grade: 'string', grader: 'string' }),
  productItem: itemShape({ cert_number: 'null', grade: 'null', grader: 'null' }),
  imageAsset: {
    variant: 'front back label',
    url: 'uri',
    width: 'integer',
    height: 'integer',
    format: 'webp jpeg png',
  },
  intakeEvent: {
    qid: 'string',
    intake_at: 'date-time',
    manifest_id: 'uuid|null',
    manifest_line_id: 'uuid|null',
    condition_flags: 'string[]',
    item: 'object',
  },
  fulfillment: {
    id: 'uuid',
    qids: 'string[]',
    status: 'pending processing shipped delivered cancelled exception returned',
    processing_stage: 'picked packed verified labeled queued_for_carrier|null',
    shipping_address: 'object|null',
    carrier: 'string|null',
    service: 'string|null',
    tracking_number: 'string|null',
    tracking_url: 'uri|null',
    issue: 'object|null',
    external_ref: 'string|null',
    created_at: 'date-time',
    updated_at: 'date-time',
    type: 'standard withdrawal',
    special_instructions: 'string|null',
    deliver_by: 'date|null',
    verified_address_id: 'uuid|null',
  },
  shippingAddress: {
    recipient_name: 'string',
    street: 'string',
    street_2: 'string|null',
    city: 'string',
    state: 'string',
    zip: 'string',
    country: 'string',
  },
  issue: { code: 'string', message: 'string', occurred_at: 'date-time' },
  transfer: {
    id: 'uuid',
    qids: 'string[]',
    status: 'requested completed declined cancelled',
    type: 'sell_back',
    external_ref: 'string|null',
    created_at: 'date-time',
    updated_at: 'date-time',
  },
  inventoryLevel: { sku: 'string', on_hand: 'count', available: 'count', allocated: 'count' },
  summary: { total: 'count', by_status: 'object' },
  subscription: {
    id: 'uuid',
    url: 'uri',
    event_types: 'string[]',
    active: 'boolean',
    created_at: 'date-time',
  },
  error: { code: 'string', message: 'string', extra: 'object' },
  rowError: { code: 'string', fields: 'object', message: 'string', row: 'integer' },
  totals: { created: 'count', failed: 'count', submitted: 'count' },
  envelope: {
    page_size: 'integer',
    count: 'integer',
    total: 'integer',
    current_page_number: 'integer',
    next_page_number: 'integer|null',
    next: 'uri|null',
    previous: 'uri|null',
    previous_page_number: 'integer|null',
    results: 'object[]',
  },
  event: { id: 'uuid', created_at: 'date-time', type: 'string', data: 'object' },
  reconciliation: { manifest_id: 'uuid', generated_at: 'date-time', totals: 'object' },
} as const satisfies Record<string, Shape>

export type Shape = Readonly<Record<string, string>>

function itemShape<T extends Shape>(grading: T) {
  return {
    qid: 'string',
    type: 'graded_slab product',
    name: 'string',
    sku: 'string',
    status:
      'received digitized available in_fulfillment in_transit delivered pending_transfer released withdrawn',
    'category?': 'string',
    set: 'string|null',
    card_number: 'string|null',
    external_ref: 'string|null',
    manifest_line_id: 'uuid|null',
    active_fulfillment_id: 'uuid|null',
    image_assets: 'object[]',
    intake_at: 'date-time',
    updated_at: 'date-time',
    model_3d: 'null',
    ...grading,
  }
}

/** Throws `Unmet` unless the value has exactly the fields of the shape, each of its type. */
export function shaped(value: unknown, shape: Shape, what: string): void {
  same(shapeFaults(value, shape), [], `${what} has the fields of its type`)
}

function shapeFaults(value: unknown, shape: Shape): string[] {
  if (typeof value !== 'object' || value === null) return ['is not an object']
  const fields = value as Record<string, unknown>
  const faults: string[] = []
  const known = new Set(Object.keys(shape).map((name) => name.replace('?', '')))
  for (const name of Object.keys(fields)) if (!known.has(name)) faults.push(`${name} is unknown`)
  for (const [field, types] of Object.entries(shape)) {
    const name = field.replace('?', '')
    if (!(name in fields)) {
      if (!field.endsWith('?')) faults.push(`${name} is missing`)
    } else if (!types.split('|').some((type) => isOf(fields[name], type)))
      faults.push(`${name} is no ${types}`)
  }
  return faults
}

const forms: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  uuid: (value) => matches(value, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  'date-time': (value) => matches(value, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/),
  date: (value) => matches(value, /^\d{4}-\d\d-\d\d$/),
  uri: (value) => typeof value === 'string' && URL.canParse(value),
  integer: Number.isInteger,
  count: (value) => Number.isInteger(value) && (value as number) >= 0,
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  object: isRecord,
  'string[]': (value) => Array.isArray(value) && value.every((part) => typeof part === 'string'),
  'object[]': (value) => Array.isArray(value) && value.every(isRecord),
}

/** `type` is a key of `forms`, or the words of an enum, separated by spaces. */
function isOf(value: unknown, type: string): boolean {
  return own(forms, type)?.(value) ?? type.split(' ').includes(value as string)
}

function matches(value: unknown, form: RegExp): boolean {
  return typeof value === 'string' && form.test(value)
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
