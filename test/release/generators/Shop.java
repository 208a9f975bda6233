import com.google.gson.Gson;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.JSON;
import org.openapitools.client.api.ArtworkApi;
import org.openapitools.client.api.OrdersApi;
import org.openapitools.client.api.QuotesApi;
import org.openapitools.client.model.*;

/** Places and reads an order with the Java client of OpenAPI Generator. Prints one line of JSON. */
public class Shop {
  static final ApiClient CLIENT = new ApiClient();
  static final OrdersApi ORDERS = new OrdersApi(CLIENT);
  static final QuotesApi QUOTES = new QuotesApi(CLIENT);

  interface Call {
    void run() throws ApiException;
  }

  static ApiError errorOf(Call call) throws Exception {
    try {
      call.run();
      throw new IllegalStateException("not refused");
    } catch (ApiException exception) {
      return ErrorEnvelope.fromJson(exception.getResponseBody()).getError();
    }
  }

  static String upload(byte[] picture) throws Exception {
    CreateUploadRequest request = new CreateUploadRequest();
    request.filename("dunes.png").contentType(CreateUploadRequest.ContentTypeEnum.IMAGE_PNG).sizeBytes(picture.length);
    UploadTarget target = new ArtworkApi(CLIENT).createUpload(request, null).getData();
    HttpRequest.Builder put = HttpRequest.newBuilder(URI.create(target.getUploadUrl())).header("Content-Type", target.getContentType());
    int status = HttpClient.newHttpClient().send(put.PUT(HttpRequest.BodyPublishers.ofByteArray(picture)).build(), HttpResponse.BodyHandlers.discarding()).statusCode();
    if (status >= 300) throw new IllegalStateException("the store answered " + status);
    return target.getUrl();
  }

  static CreateOrderRequest orderOf(String quoteId) {
    return new CreateOrderRequest().quoteId(quoteId);
  }

  static Map<String, Object> order() throws Exception {
    LineItemVariantSelections selections = new LineItemVariantSelections();
    selections.artworkWidthMm("300").artworkHeightMm("400").mediaId("media-cotton-rag-310");
    LineItem item = new LineItem().productSlug("fine-art-printing").quantity(1).variantSelections(selections);
    item.imageUrl(upload("0123456789".getBytes()));
    ShippingAddress address = new ShippingAddress().name("Ada Customer").line1("12 Hanging Lane").city("Melbourne");
    address.state("VIC").postcode("3000").country("AU").email("ada@example.com");
    CreateQuoteRequest basket = new CreateQuoteRequest().items(List.of(item)).shippingAddress(address);
    ApiError refusal = errorOf(() -> QUOTES.createQuote(basket, null));
    for (ShippingOption option : refusal.getDetails().getShippingOptions())
      if (!option.getRequiresQuote() && !option.getIsCollection()) basket.shippingMethodId(option.getId());
    String quoteId = QUOTES.createQuote(basket, null).getData().getQuoteId();
    Order placed = ORDERS.createOrder(quoteId, orderOf(quoteId), null).getData();
    return Map.of("refusal", refusal.getCode(), "quoteId", quoteId, "orderId", placed.getOrderId(), "status", placed.getStatus(), "totalCents", placed.getTotalCents());
  }

  static Map<String, Object> read(String orderId, String quoteId) throws Exception {
    String status = ORDERS.getOrder(orderId, null).getData().getStatus();
    ApiError error = errorOf(() -> ORDERS.createOrder(quoteId + "-2", orderOf(quoteId), null));
    return Map.of("status", status, "code", error.getCode(), "orderId", error.getDetails().getOrderId());
  }

  public static void main(String[] args) throws Exception {
    CLIENT.setBasePath(System.getenv("API"));
    CLIENT.setBearerToken(System.getenv("KEY"));
    System.out.println(new Gson().toJson(args[0].equals("order") ? order() : read(args[1], args[2])));
  }
}
