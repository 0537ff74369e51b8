/** Exact for what is written in decimals: 0.3 is a multiple of 0.1. */
export function isMultipleOf(value: number, divisor: number): boolean {
  const quotient = value / divisor;
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return Number.isInteger(quotient);
  const [digits, exponent] = decimals(value);
  const [divisorDigits, divisorExponent] = decimals(divisor);
  const shift = exponent - divisorExponent;
  return shift >= 0
    ? (digits * 10n ** BigInt(shift)) % divisorDigits === 0n
    : digits % (divisorDigits * 10n ** BigInt(-shift)) === 0n;
}

/** A number as whole digits and the power of ten they are multiplied with. */
function decimals(value: number): [digits: bigint, exponent: number] {
  const [mantissa = '0', exponent = '0'] = Math.abs(value).toString().split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return [BigInt(whole + fraction), Number(exponent) - fraction.length];
}
