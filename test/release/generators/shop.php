<?php
// Places and reads an order with the PHP client of OpenAPI Generator. Prints one line of JSON.

use OpenAPI\Client\Api\ArtworkApi;
use OpenAPI\Client\Api\OrdersApi;
use OpenAPI\Client\Api\QuotesApi;
use OpenAPI\Client\ApiException;
use OpenAPI\Client\Configuration;
use OpenAPI\Client\Model\CreateOrderRequest;
use OpenAPI\Client\Model\CreateQuoteRequest;
use OpenAPI\Client\Model\CreateUploadRequest;
use OpenAPI\Client\Model\LineItem;
use OpenAPI\Client\Model\LineItemVariantSelections;
use OpenAPI\Client\Model\ShippingAddress;

set_error_handler(fn ($severity, $message, $file, $line) => error_reporting() & $severity ? throw new ErrorException($message, 0, $severity, $file, $line) : true);
error_reporting(E_ALL & ~E_DEPRECATED); // of Debian's Guzzle
require 'GuzzleHttp/autoload.php'; // from Debian; Composer installs it elsewhere
spl_autoload_register(function (string $class): void {
    $file = __DIR__ . '/lib/' . str_replace(['OpenAPI\\Client\\', '\\'], ['', '/'], $class) . '.php';
    if (is_file($file)) require $file;
});

$http = new GuzzleHttp\Client();
$config = Configuration::getDefaultConfiguration()->setHost(getenv('API'))->setAccessToken(getenv('KEY'));
$orders = new OrdersApi($http, $config);
$quotes = new QuotesApi($http, $config);

function errorOf(callable $call): mixed
{
    try {
        $call();
    } catch (ApiException $exception) {
        return $exception->getResponseObject()->getError();
    }
}

function upload(string $picture): string
{
    global $http, $config;
    $request = new CreateUploadRequest(['filename' => 'dunes.png', 'content_type' => 'image/png', 'size_bytes' => strlen($picture)]);
    $target = (new ArtworkApi($http, $config))->createUpload($request)->getData();
    $http->put($target->getUploadUrl(), ['body' => $picture, 'headers' => ['Content-Type' => $target->getContentType()]]);
    return $target->getUrl();
}

if ($argv[1] === 'order') {
    $selections = new LineItemVariantSelections(['artwork_width_mm' => '300', 'artwork_height_mm' => '400', 'media_id' => 'media-cotton-rag-310']);
    $item = new LineItem(['product_slug' => 'fine-art-printing', 'quantity' => 1, 'image_url' => upload('0123456789'), 'variant_selections' => $selections]);
    $address = new ShippingAddress(['name' => 'Ada Customer', 'line1' => '12 Hanging Lane', 'city' => 'Melbourne', 'state' => 'VIC', 'postcode' => '3000', 'country' => 'AU', 'email' => 'ada@example.com']);
    $basket = new CreateQuoteRequest(['items' => [$item], 'shipping_address' => $address]);
    $refusal = errorOf(fn () => $quotes->createQuote($basket));
    foreach ($refusal->getDetails()->getShippingOptions() as $option)
        if (!$option->getRequiresQuote() && !$option->getIsCollection()) $basket->setShippingMethodId($option->getId());
    $quoteId = $quotes->createQuote($basket)->getData()->getQuoteId();
    $order = $orders->createOrder($quoteId, new CreateOrderRequest(['quote_id' => $quoteId]))->getData();
    echo json_encode(['refusal' => $refusal->getCode(), 'quoteId' => $quoteId, 'orderId' => $order->getOrderId(), 'status' => $order->getStatus(), 'totalCents' => $order->getTotalCents()]);
} else {
    [, , $orderId, $quoteId] = $argv;
    $status = $orders->getOrder($orderId)->getData()->getStatus();
    $error = errorOf(fn () => $orders->createOrder("$quoteId-2", new CreateOrderRequest(['quote_id' => $quoteId])));
    echo json_encode(['status' => $status, 'code' => $error->getCode(), 'orderId' => $error->getDetails()->getOrderId()]);
}
