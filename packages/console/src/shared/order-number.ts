const ORDER_NUMBER = /^[PT]-\d{5,}(-R\d+)?$/i;

/** Whether a text is a whole order number, `P-10001` or `P-10001-R1`. */
export const isOrderNumber = (text: string): boolean => ORDER_NUMBER.test(text);
