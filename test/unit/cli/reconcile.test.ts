import { formatReconcileResult } from '../../../src/cli/reconcile';

it('lists every finding of a repair', () => {
  const findings = Array.from({ length: 80 }, (_, index) => ({
    kind: 'run without an order' as const,
    subject: `ord_${index}`,
    detail: 'its workflow runs, and there is no such order',
    repaired: true,
  }));
  const listed = formatReconcileResult({ findings, issuedTwice: [] }, false).matchAll(/^run without an order: (\S+):/gm);
  expect([...listed].map(([, subject]) => subject)).toEqual(findings.map(({ subject }) => subject));
});
