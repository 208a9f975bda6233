// These packages have no types.

declare module 'textlint-rule-prh' {
  import type { TextlintRuleModule } from '@textlint/kernel';
  const rule: TextlintRuleModule;
  export default rule;
}

declare module 'textlint-rule-write-good' {
  import type { TextlintRuleModule } from '@textlint/kernel';
  const rule: TextlintRuleModule;
  export default rule;
}

declare module 'textlint-rule-en-max-word-count' {
  import type { TextlintRuleReporter } from '@textlint/kernel';
  const rule: TextlintRuleReporter;
  export = rule;
}
