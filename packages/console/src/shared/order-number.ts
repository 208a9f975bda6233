const ORDER_NUMBER = /^[PT]-\d{1,15}(-R[1-9]\d{0,2})?$/i;

/** Whether a text is a whole order number, `P-10001` or `P-10001-R1`. */
export const isOrderNumber = (text: string): boolean => ORDER_NUMBER.test(text);
